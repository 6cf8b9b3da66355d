"""The reader in the process of the test, which decodes by itself what phones send."""

from collections.abc import Sequence

from companion.app.reading.decoder import picture_of
from companion.app.reading.reader import Reader
from companion.app.reading.reader_process import Seen, Taught
from companion.budgets import PREVIEW_PX
from vision.contract import ReadingJson


class ReaderHere(Reader):
    """Does what `ReaderProcess` does, in no other process."""

    def photo(self, data: bytes, reader: str, taught: Sequence[Taught] = ()) -> Seen:
        return self.observe(picture_of(data), reader, None, taught)

    def preview(self, data: bytes, reader: str, taught: Sequence[Taught] = ()) -> ReadingJson:
        return self.read(picture_of(data, PREVIEW_PX), reader, taught)
