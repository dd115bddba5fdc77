"""Questions about pictures of the sites: what is asked, how the asked picture is made, and whether all of it is right."""
