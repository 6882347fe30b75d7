// data: {hidden, weights: float32 as base64, ways: the lines of ten digits, sizes: strokes.py's}
const sum = numbers => numbers.reduce((a, b) => a + b, 0);

// The network: relu(x @ W1 + b1) @ W2 + b2, and a softmax.
const makeNetwork = ({hidden, weights}) => {
  const bytes = Uint8Array.from(atob(weights), c => c.charCodeAt(0));
  const numbers = new Float32Array(bytes.buffer), sizes = [64 * hidden, hidden, 10 * hidden, 10];
  let at = 0;
  const [W1, b1, W2, b2] = sizes.map(size => numbers.subarray(at, at += size));
  const layer = (x, W, b) =>
    Array.from(b, (bias, j) => bias + sum(x.map((v, i) => v * W[i * b.length + j])));
  return pixels => {
    const h = layer(pixels.map(p => p / 16), W1, b1).map(v => Math.max(0, v));
    const scores = layer(h, W2, b2), most = Math.max(...scores);
    const powers = scores.map(v => Math.exp(v - most)), all = sum(powers);
    return powers.map(v => v / all);
  };
};

// Lines on the sheet -> 64 pixels, as strokes.py says it.
const fitted = (lines, s) => {
  const [xs, ys] = [0, 1].map(k => lines.flat().map(point => point[k]));
  const left = Math.min(...xs), top = Math.min(...ys);
  const width = Math.max(...xs) - left, height = Math.max(...ys) - top;
  const scale = s.high / Math.max(height, 0.95 * width, 0.05), wide = width * scale;
  const across = scale * (wide > s.thin * s.high ? s.wide / wide : 1), half = s.sheet / 2;
  return lines.map(line => line.map(([x, y]) =>
    [(x - left - width / 2) * across + half, (y - top - height / 2) * scale + half]));
};
const pixelsOf = (lines, s) => {
  const far = new Float64Array(s.sheet ** 2).fill(Infinity), pixels = Array(64).fill(0);
  if (!lines.length) return pixels;
  for (const line of fitted(lines, s)) line.forEach(([x, y], k) => {
    const [u, v] = line[Math.min(k + 1, line.length - 1)], dx = u - x, dy = v - y;
    const length = Math.max(dx * dx + dy * dy, 1e-12);
    far.forEach((before, n) => {
      const px = n % s.sheet + 0.5 - x, py = Math.floor(n / s.sheet) + 0.5 - y;
      const share = Math.max(0, Math.min(1, (px * dx + py * dy) / length));
      far[n] = Math.min(before, (share * dx - px) ** 2 + (share * dy - py) ** 2);
    });
  });
  const pen = far.slice().sort()[s.ink - 1];
  far.forEach((d, n) => { if (d <= pen) pixels[8 * (n >> 7) + ((n & 31) >> 2)]++; });
  return pixels;
};

const fill = (live, data, host) => {
  live.setAttribute("role", "group");
  live.setAttribute("aria-label", "draw a digit");
  live.innerHTML = `<output class="said" aria-live="polite"></output><div class="row">
<figure><canvas width="400" height="400" tabindex="0" role="application"
aria-label="a sheet to draw on; a key from 0 to 9 draws that digit, Delete clears"></canvas>
<figcaption>draw here</figcaption></figure>
<figure><div class="pixels" role="img" aria-label="8 by 8 pixels">${"<i></i>".repeat(64)}</div>
<figcaption>what your network sees</figcaption></figure>
<div class="bars" role="img">${"<span></span><b></b><span></span>".repeat(10)}</div></div>
<div class="bar"><button>clear</button></div>`;
  const [sheet, grid, bars, said, clear] =
    ["canvas", ".pixels", ".bars", ".said", "button"].map(name => live.querySelector(name));
  const read = makeNetwork(data), pen = sheet.getContext("2d"), side = sheet.width;
  let lines = [], finger = null, waits = false;

  const draw = () => {
    pen.clearRect(0, 0, side, side);
    pen.strokeStyle = getComputedStyle(live).color;
    pen.lineWidth = 26;
    pen.lineCap = pen.lineJoin = "round";
    for (const line of lines) {
      pen.beginPath();
      for (const [x, y] of [line[0], ...line]) pen.lineTo(side * x, side * y);
      pen.stroke();
    }
  };
  const answer = () => {
    const pixels = pixelsOf(lines, data.sizes), shares = read(pixels), empty = !lines.length;
    const best = shares.indexOf(Math.max(...shares));
    const percent = share => `${Math.round(100 * share)}%`;
    pixels.forEach((p, k) => { grid.children[k].style.opacity = p / 16; });
    shares.forEach((share, d) => {
      const [digit, bar, number] = [...bars.children].slice(3 * d, 3 * d + 3);
      digit.textContent = d;
      bar.style.width = empty ? 0 : `${100 * share}%`;
      number.textContent = empty || share < 0.005 ? "" : percent(share);
      for (const part of [digit, bar, number]) part.classList.toggle("best", !empty && d === best);
    });
    const says = `your network reads a ${best}, ${percent(shares[best])} sure`;
    said.textContent = empty ? "draw a digit with mouse or finger" : says;
    bars.setAttribute("aria-label", said.textContent);
    host.answer = {pixels, shares};
  };
  const redraw = () => {  // at most once a frame of the screen
    draw();
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => { waits = false; answer(); });
  };
  const show = found => { lines = found; redraw(); };
  const place = event => {
    const box = sheet.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  const lift = event => { if (event.pointerId === finger) finger = null; };

  sheet.onpointerdown = event => {
    if (finger !== null || event.button) return;
    finger = event.pointerId;
    sheet.setPointerCapture(finger);
    lines.push([place(event)]);
    redraw();
  };
  sheet.onpointermove = event => {
    if (event.pointerId !== finger) return;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length ? all : [event]) {
      const line = lines.at(-1), [x, y] = line.at(-1), [u, v] = place(one);
      if (Math.hypot(u - x, v - y) > 0.008) line.push([u, v]);  // a fast pen sends thousands
    }
    redraw();
  };
  sheet.onpointerup = sheet.onpointercancel = sheet.onlostpointercapture = lift;
  sheet.onkeydown = event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^\d$/.test(event.key)) show(structuredClone(data.ways[event.key]));
    if (event.key === "Delete" || event.key === "Backspace") show([]);
  };
  clear.onclick = () => show([]);
  host.addEventListener("theme", draw);
  answer();
};
