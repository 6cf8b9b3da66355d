"""Templates of the pages, compiled once in a process and not once for each page that a test makes."""

from types import CodeType

from jinja2.bccache import Bucket, BytecodeCache


class MemoryCache(BytecodeCache):
    """Compiled templates by their name and the checksum of their source."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key, bucket.checksum] = bucket.code
