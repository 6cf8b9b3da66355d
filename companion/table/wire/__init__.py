"""The table in JSON, typed: the state that everybody may read, and the commands that may be sent.

The OpenAPI document is made from these types. Names and descriptions of members are part of the API.
"""
