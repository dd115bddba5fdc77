"""The bundled museum: an invented site of 44 pages with drawn pictures, from which questions about pictures can be built."""
