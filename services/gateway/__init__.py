"""The gateway: one port for page, WebSocket, HTTP, health and metrics.

Takes frames and HTTP requests of players. Gives views, steps and refusals, each as game-state or scoring said it.
Owns nothing: sockets in memory, all else behind the bus, so that any number of gateways work side by side.
May see no hidden card: neither the log nor the sealed deals, only views.

`session` is the socket's conversation without I/O; `sockets` and `fanout` give it a socket and the bus.
"""
