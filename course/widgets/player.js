// data: {title, ms, titles, frames}; a frame is an SVG or img: a list of places in data.pool
const fill = (live, data, host) => {
  const last = data.frames.length - 1;
  live.setAttribute("role", "group");
  live.setAttribute("aria-label", data.title);
  live.innerHTML = `<div class="picture" role="img"></div>
<div class="bar"><button aria-label="one frame back">&#9668;&#xFE0E;</button>
<button class="play">play</button>
<button aria-label="one frame on">&#9658;&#xFE0E;</button>
<input type="range" min="0" max="${last}" aria-label="frame"><small></small></div>
<output class="unseen" aria-live="polite"></output>`;
  const [picture, slider, count, said] =
    [".picture", "input", "small", "output"].map(name => live.querySelector(name));
  const [back, play, on] = live.querySelectorAll("button");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let clock = 0;

  const show = k => {
    const title = data.titles[k];
    picture.innerHTML = data.frames[k].map(place => data.pool[place]).join("");
    picture.setAttribute("aria-label", title);
    slider.value = k;
    slider.setAttribute("aria-valuetext", `${k + 1} of ${last + 1}: ${title}`);
    count.textContent = `${k + 1} / ${last + 1}`;
    if (!clock) said.textContent = title;  // while it runs, nobody can listen that fast
  };
  const stop = () => {
    clearInterval(clock);
    clock = 0;
    play.textContent = "play";
    said.textContent = data.titles[slider.value];
  };
  const step = k => { stop(); show(Math.max(0, Math.min(last, k))); };
  const tick = () => {
    if (!host.isConnected) return stop();  // JupyterLab takes cells off that are out of sight
    if (+slider.value < last) show(+slider.value + 1);
    if (+slider.value === last) stop();
  };
  const turn = () => {
    if (clock) return stop();
    if (still.matches) return;
    clock = setInterval(tick, data.ms);
    play.textContent = "pause";
    if (+slider.value === last) show(0);
  };
  const quiet = () => { play.hidden = still.matches; if (still.matches) stop(); };

  const keys = {
    ArrowLeft: () => step(+slider.value - 1),
    ArrowRight: () => step(+slider.value + 1),
    Home: () => step(0),
    End: () => step(last),
    " ": turn,
  };
  live.onkeydown = event => {
    const own = event.key === " " && event.target.matches("button");  // space presses a button
    const plain = !(event.ctrlKey || event.metaKey || event.altKey);
    if (own || !plain || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  };
  back.onclick = keys.ArrowLeft;
  on.onclick = keys.ArrowRight;
  play.onclick = turn;
  slider.oninput = () => step(+slider.value);
  picture.onclick = () => { slider.focus(); turn(); };
  still.addEventListener("change", quiet);
  slider.value = 0;
  quiet();
  show(0);
};
