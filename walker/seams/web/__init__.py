"""What passes between walks and the web: traffic, headers, proxies, cookies."""
