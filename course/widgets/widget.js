// What all widgets do. `mark` is the class of the elements to fill, `css` their style, `packed`
// their data; fill(live, data, host) comes from the widget's own file.

// A tree of its own: no style, id or name of the page gets in, and none gets out.
const fillAll = () => {
  if (!globalThis.DecompressionStream) return;  // the PNG stays
  for (const host of document.querySelectorAll("." + mark)) {
    if (host.shadowRoot) continue;
    const tree = host.attachShadow({mode: "open"});
    tree.innerHTML = `<slot></slot>`;
    keepKeys(host);
    unpack().then(data => {
      const live = document.createElement("div");
      live.className = "live";
      tree.innerHTML = `<style>${css}</style><slot></slot>`;
      tree.insertBefore(live, tree.lastChild);
      fill(live, data, host);
      followTheme(host);
    });
  }
};

const unpack = () => {
  const bytes = Uint8Array.from(atob(packed.split(",")[1]), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
};

// Without these, JupyterLab takes the keys for itself: `d d` would delete the cell.
const keepKeys = host => {
  host.setAttribute("data-lm-suppress-shortcuts", "true");
  for (const kind of ["keydown", "keypress", "keyup"])
    host.addEventListener(kind, event => event.stopPropagation());
};

// The page is dark where its text is light, whoever made the page.
const followTheme = host => {
  const look = () => {
    const [r, g, b] = getComputedStyle(host).color.match(/[\d.]+/g).map(Number);
    host.toggleAttribute("data-dark", 0.3 * r + 0.6 * g + 0.1 * b > 140);
    host.dispatchEvent(new Event("theme"));
  };
  const soon = () => { setTimeout(look, 50); setTimeout(look, 600); };  // styles load late
  const watch = new MutationObserver(soon);
  for (const element of [document.documentElement, document.body])
    watch.observe(element, {attributes: true});
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", soon);
  look();
};
