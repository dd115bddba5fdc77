"""The Selenium driver: Chromium through chromedriver, the second driver of crawls."""
