"""The table in JSON, typed: the state that everybody may read.

The OpenAPI document is made from these types and from the commands. Names and descriptions of members are
part of the API.
"""
