"""Every schema that crosses the bus, the socket or the years: one module a family.

Structs are frozen, tagged by `type` and encoded as MessagePack on the bus and in the log. Input is decoded strictly
(unknown fields are refused), stored events tolerantly. Fields are only ever added with a default; any other change is
a new schema version with an upcaster and a stored sample.
"""
