#!/bin/sh
# Starts a service with the kernels that were compiled when the image was built. They are copied to where a container
# that is read-only otherwise can write: on another kind of processor they are compiled anew, and kept for its life.
mkdir -p "$NUMBA_CACHE_DIR" && cp -R /opt/klondike/kernels/. "$NUMBA_CACHE_DIR"
exec klondike service "$@"
