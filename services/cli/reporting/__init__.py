"""`klondike status`: what the services and the job queue say of themselves.

`overview` is what is told, `gather` asks for it, `text` prints it.
"""
