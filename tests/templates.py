"""Templates of the pages, compiled once in a process and not once for each page that a test makes."""

from jinja2.bccache import Bucket, BytecodeCache


class MemoryCache(BytecodeCache):
    """Compiled templates by their name; Jinja checks that their source is still the same."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()
