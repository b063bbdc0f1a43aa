"""A table in the terminal: a second client of the public protocol, by WebSocket and HTTP alone.

address   where a server is                    link      the protocol's rules, without a socket
profile   who plays there, kept on disk        client    the socket, kept alive
words     what is said, in the player's        commander what the player wants, one after the other
          language                             app       puts it together
choosing  moves from what a view allows        layout, faces, painting, table: what is seen
"""
