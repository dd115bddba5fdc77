// The whole walk at a glance: a bar for each step, as high as the trust in its text, and the threshold across.

import { h } from "./dom.js";
import { kindOf } from "./timeline.js";

const HEIGHT = 46;

export function ribbon({ onChoose }) {
  let rows = [];
  let chosen = null;
  let each = 1;
  const canvas = h("canvas", { class: "ribbon", "aria-hidden": "true", onclick: pick, onpointermove: hint });
  const here = h("div", { class: "ribbon-here", "aria-hidden": "true", hidden: true });
  new ResizeObserver(draw).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

  function at(event) {
    const place = Math.floor((event.clientX - canvas.getBoundingClientRect().left) / each);
    return rows[Math.min(rows.length - 1, Math.max(0, place))];
  }

  function pick(event) {
    const row = at(event);
    if (row) onChoose(row.step);
  }

  function hint(event) {
    const row = at(event);
    canvas.title = row ? `${row.step}  ${row.label}${row.trust >= 0 ? `\ntrust ${row.trust} of 100` : `\n${row.why}`}` : "";
  }

  function draw() {
    const width = canvas.clientWidth;
    if (!width) return;
    const scale = devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = HEIGHT * scale;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const colours = resolved(canvas, ["bad", "off", "good", "look", "glance", "read", "ink"]);
    each = Math.min(48, width / Math.max(1, rows.length));
    const gap = each > 4 ? 2 : each > 2 ? 1 : 0;
    pen.globalAlpha = 0.7;
    rows.forEach((row, place) => {
      const high = row.trust >= 0 ? Math.max(3, (row.trust / 100) * (HEIGHT - 8)) : 6;
      pen.fillStyle = colours[kindOf(row)];
      if (each > 6) {
        pen.beginPath();
        pen.roundRect(place * each, HEIGHT - high, each - gap, high, 2);
        pen.fill();
      } else {
        pen.fillRect(place * each, HEIGHT - high, Math.max(0.5, each - gap), high);
      }
    });
    const threshold = rows.find((row) => row.threshold)?.threshold;
    if (threshold) {
      pen.globalAlpha = 0.5;
      pen.strokeStyle = colours.ink;
      pen.setLineDash([3, 4]);
      const y = HEIGHT - (threshold / 100) * (HEIGHT - 8);
      pen.beginPath();
      pen.moveTo(0, y);
      pen.lineTo(Math.min(width, rows.length * each), y);
      pen.stroke();
    }
    mark();
  }

  function mark() {
    const place = rows.findIndex((row) => row.step === chosen);
    here.hidden = place < 0;
    here.style.width = `${Math.max(3, each - 2)}px`;
    here.style.transform = `translateX(${place * each}px)`;
  }

  return {
    node: [canvas, here],
    show: (next) => { rows = next; draw(); },
    choose: (step) => { chosen = step; mark(); },
  };
}

// A canvas takes no light-dark(): the browser resolves it on a node.
function resolved(near, names) {
  const probe = h("i", { style: { display: "none" } });
  near.parentNode?.append(probe);
  const style = getComputedStyle(probe);
  const found = Object.fromEntries(names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, style.color];
  }));
  probe.remove();
  return found;
}
