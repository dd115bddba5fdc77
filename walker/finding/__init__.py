"""Pages of a site found beside a walk: by searching what was read, by a scout over HTTP, and by the site's own finding aids."""
