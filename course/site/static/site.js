// What keyboards and screen readers need beyond the theme. Sphinx loads this deferred.
const name = () => {
  document.querySelector(".sidebar-drawer").ariaLabel = "All pages";
  document.querySelector(".toc-drawer").ariaLabel = "On this page";
  for (const caption of document.querySelectorAll(".caption[role=heading]")) {
    caption.ariaLevel = "2";
  }
  for (const fold of document.querySelectorAll("summary[aria-label]")) {
    fold.removeAttribute("aria-label"); // it hid what the summary says
  }
};

// Whatever is wider than its place can be scrolled with the arrow keys: it is a tab stop.
const reach = () => {
  for (const box of document.querySelectorAll("pre, .cell_output, .table-wrapper")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};

name();
addEventListener("load", reach);
addEventListener("resize", reach);
addEventListener("toggle", reach, true); // something was unfolded
