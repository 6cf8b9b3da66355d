"""The commands of `dudo`, one module each.

A command module offers `add_parser(subparsers)`, which sets `run` as a default, and `run(args) -> int`:
0 done, 1 it could not, 2 wrong use.
"""
