"use strict";
// Whatever goes wrong on this page is said at its top, and counted in data-problems of the page.
function problem(text) {
  const root = document.documentElement, place = document.getElementById("problems");
  root.dataset.problems = Number(root.dataset.problems) + 1;
  place.hidden = false;
  place.textContent += text + "\n";
}

document.documentElement.dataset.problems = 0;
addEventListener("error", event => problem("This page has an error: " + event.message));
addEventListener("unhandledrejection", event => problem("This page has an error: " + event.reason));
addEventListener("securitypolicyviolation", event => problem("This page asked for " + event.blockedURI + ", and was refused"));
