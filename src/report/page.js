// What the pages of reports do where scripts run: values under the pointer, layers switched by their legend, zoom by
// dragging, larger pictures. The same text is in every page; names reach it as attributes and leave it as text.
'use strict';
(() => {
const svgNames = 'http://www.w3.org/2000/svg';
const places = text => text.split(' ').map(Number);
const digits = value => String(Number(value.toPrecision(4)));

function make(parent, name, attributes) {
  const node = document.createElementNS(svgNames, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return parent.appendChild(node);
}

// Round values between two others, about `wished` of them.
function tics(lower, upper, wished) {
  const rough = (upper - lower) / wished, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find(m => m * power >= rough) ?? 10);
  const result = [];
  for (let k = Math.ceil(lower / step); k * step <= upper; ++k) result.push(Number((k * step).toPrecision(12)));
  return result;
}

// One direction of a panel: ends as drawn, values there, and the stretch that is shown.
class Axis {
  constructor(from, to, ends, log) {
    [this.from, this.to, this.log] = [from, to, log];
    this.ends = log ? ends.map(Math.log10) : ends;
    this.view = [from, to];
  }
  value(at) {  // of a place as first drawn
    const v = this.ends[0] + (at - this.from) / (this.to - this.from) * (this.ends[1] - this.ends[0]);
    return this.log ? 10 ** v : v;
  }
  first(value) {  // the reverse
    const v = this.log ? Math.log10(value) : value;
    return this.from + (v - this.ends[0]) / (this.ends[1] - this.ends[0]) * (this.to - this.from);
  }
  shown(at) { return this.from + (at - this.view[0]) / (this.view[1] - this.view[0]) * (this.to - this.from); }
  hidden(at) { return this.view[0] + (at - this.from) / (this.to - this.from) * (this.view[1] - this.view[0]); }
  get whole() { return this.view[0] === this.from && this.view[1] === this.to; }
  tics() {
    const [a, b] = this.view.map(at => this.value(at)), lower = Math.min(a, b), upper = Math.max(a, b);
    const wished = Math.max(2, Math.abs(this.to - this.from) / 50);
    return tics(lower, upper, wished).filter(v => !this.log || v > 0);
  }
}

class Layer {
  constructor(group) {
    Object.assign(this, {group, kind: group.dataset.kind, name: group.dataset.name});
    this.paths = [...group.querySelectorAll('path')].map(node => ({node, drawn: node.getAttribute('d'),
      pieces: node.getAttribute('d').split('M').slice(1).map(piece => ({closed: piece.endsWith('Z'),
        spots: spotsOf(piece)}))}));
    this.discs = [...group.querySelectorAll('circle')].map(node =>
      ({node, x: Number(node.getAttribute('cx')), y: Number(node.getAttribute('cy'))}));
  }
  get pieces() { return this.paths.flatMap(path => path.pieces); }
  draw(x, y) {
    const whole = x.whole && y.whole;
    for (const {node, drawn, pieces} of this.paths) {
      node.setAttribute('d', whole ? drawn : pieces.map(({spots, closed}) =>
        'M' + spots.map(s => x.shown(s[0]).toFixed(2) + ' ' + y.shown(s[1]).toFixed(2)).join('L') + (closed ? 'Z' : '')).join(''));
    }
    for (const disc of this.discs) {
      disc.node.setAttribute('cx', x.whole ? disc.x : x.shown(disc.x).toFixed(2));
      disc.node.setAttribute('cy', y.whole ? disc.y : y.shown(disc.y).toFixed(2));
    }
  }
  // The heights at which the outline crosses a vertical line.
  heights(at) {
    const found = [];
    for (const {spots, closed} of this.pieces) {
      const count = closed ? spots.length : spots.length - 1;
      for (let i = 0; i < count; ++i) {
        const [x0, y0] = spots[i], [x1, y1] = spots[(i + 1) % spots.length];
        if ((x0 - at) * (x1 - at) > 0 || x0 === x1) continue;
        found.push(y0 + (at - x0) / (x1 - x0) * (y1 - y0));
      }
    }
    return found;
  }
}

// "1 2L3 4 5 6Z" as pairs.
function spotsOf(piece) {
  const all = piece.replace('Z', '').split(/[L ]/).map(Number), spots = [];
  for (let i = 0; i + 1 < all.length; i += 2) spots.push([all[i], all[i + 1]]);
  return spots;
}

let clips = 0;
class Panel {
  constructor(group) {
    const data = group.dataset;
    this.group = group;
    [this.left, this.top, this.right, this.bottom] = places(data.box);
    this.x = new Axis(this.left, this.right, places(data.x), data.log.includes('x'));
    this.y = new Axis(this.bottom, this.top, places(data.y), data.log.includes('y'));
    this.layers = [...group.querySelectorAll('.layer')].map(layer => new Layer(layer));
    this.parts = Object.fromEntries(['grid', 'axes', 'numbers'].map(name => [name, group.querySelector('.' + name)]));
    this.before = Object.fromEntries(Object.entries(this.parts).map(([name, part]) => [name, part.innerHTML]));
    const clip = make(group, 'clipPath', {id: 'clip' + ++clips});
    make(clip, 'rect', {x: this.left, y: this.top, width: this.right - this.left, height: this.bottom - this.top});
  }
  contains(at) {
    const edge = 0.5;
    return at.x > this.left - edge && at.x < this.right + edge && at.y > this.top - edge && at.y < this.bottom + edge;
  }

  draw() {
    const whole = this.x.whole && this.y.whole;
    for (const layer of this.layers) {
      layer.draw(this.x, this.y);
      if (whole) layer.group.removeAttribute('clip-path');
      else layer.group.setAttribute('clip-path', `url(#${this.group.querySelector('clipPath').id})`);
    }
    for (const [name, part] of Object.entries(this.parts)) part.innerHTML = this.before[name];  // our own markup
    if (whole) return;
    const across = this.x.tics().map(v => [this.x.shown(this.x.first(v)), v]);
    const up = this.y.tics().map(v => [this.y.shown(this.y.first(v)), v]);
    const lines = (from, to) => across.map(([x]) => `M${x} ${from}V${to}`).join('');
    const levels = (from, to) => up.map(([y]) => `M${from} ${y}H${to}`).join('');
    this.parts.grid.querySelector('path')?.setAttribute('d', lines(this.top, this.bottom) + levels(this.left, this.right));
    this.parts.axes.querySelector('path')?.setAttribute('d', `M${this.left} ${this.top}V${this.bottom}H${this.right}` +
      lines(this.bottom, this.bottom + 3) + levels(this.left - 3, this.left));
    const texts = [...this.parts.numbers.querySelectorAll('text')];
    for (const [anchor, values, key] of [['middle', across, 'x'], ['end', up, 'y']]) {
      const old = texts.filter(text => text.getAttribute('text-anchor') === anchor);
      if (old.length === 0) continue;
      const lift = key === 'y' ? 0.36 * Number(old[0].getAttribute('font-size')) : 0;
      for (const [place, value] of values) {
        const text = old[0].cloneNode(false);
        text.setAttribute(key, place + lift);
        text.textContent = digits(value).replace('-', '\u2212');  // as the others are drawn
        this.parts.numbers.append(text);
      }
      for (const text of old) text.remove();
    }
  }

  // What stands under the pointer, as lines of words.
  words(at, xname) {
    const x = this.x.hidden(at.x), named = this.layers.some(layer => layer.name);
    const value = y => digits(this.y.value(y)), lines = [];
    for (const layer of this.layers) {
      const name = layer.name || (named ? '' : this.group.dataset.yname);
      if (!name || layer.group.classList.contains('off')) continue;
      if (layer.kind === 'points') {
        const distance = disc => Math.hypot(this.x.shown(disc.x) - at.x, this.y.shown(disc.y) - at.y);
        const near = layer.discs.reduce((best, disc) => distance(disc) < best[0] ? [distance(disc), disc] : best, [8, null])[1];
        if (near) lines.push(`${name}: ${digits(this.x.value(near.x))}, ${value(near.y)}`);
        continue;
      }
      if (layer.kind === 'marker') continue;
      const heights = layer.heights(x);
      if (heights.length === 0) continue;
      const high = Math.min(...heights), low = Math.max(...heights);  // y grows downwards
      lines.push(`${name}: ` + (layer.kind === 'band' ? `${value(low)} to ${value(high)}` : value(layer.kind === 'bars' ? high : heights[0])));
    }
    return [`${xname}: ${digits(this.x.value(x))}`, ...lines];
  }
}

class View {
  constructor(figure) {
    this.figure = figure;
    this.svg = figure.querySelector('svg');
    this.svg.setAttribute('role', 'group');  // its legend has buttons
    this.panels = [...this.svg.querySelectorAll('.panel')].map(panel => new Panel(panel));
    this.lines = make(this.svg, 'g', {class: 'pointer'});
    this.box = figure.insertBefore(document.createElement('div'), this.svg);
    this.box.className = 'hover';
    this.box.hidden = true;
    this.buttons();
    for (const entry of this.svg.querySelectorAll('.entry')) this.legend(entry);
    this.svg.addEventListener('pointermove', event => this.move(event));
    this.svg.addEventListener('pointerleave', () => this.leave());
    this.svg.addEventListener('pointerdown', event => this.down(event));
    this.svg.addEventListener('pointerup', event => this.up(event));
    this.svg.addEventListener('dblclick', () => this.reset());
  }

  buttons() {
    const row = this.figure.appendChild(document.createElement('p'));
    row.className = 'buttons';
    const button = (text, act) => {
      const node = row.appendChild(document.createElement('button'));
      [node.type, node.textContent] = ['button', text];
      node.addEventListener('click', () => act(node));
      return node;
    };
    button('Larger', node => {
      node.textContent = this.figure.classList.toggle('large') ? 'Smaller' : 'Larger';
    });
    this.back = button('All of it', () => this.reset());
    this.back.hidden = true;
  }

  legend(entry) {
    const name = entry.dataset.name;
    const act = () => {
      const off = entry.getAttribute('aria-pressed') === 'true';
      for (const node of this.svg.querySelectorAll('.layer, .entry')) {
        if (node.dataset.name !== name) continue;
        node.classList.toggle('off', off);
        if (node.classList.contains('entry')) node.setAttribute('aria-pressed', String(!off));
      }
    };
    for (const [key, value] of [['role', 'button'], ['tabindex', '0'], ['aria-pressed', 'true'], ['aria-label', name]])
      entry.setAttribute(key, value);
    entry.addEventListener('click', act);
    entry.addEventListener('keydown', event => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      act();
    });
  }

  at(event) {
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return {x: spot.x, y: spot.y};
  }
  panelAt(at) { return this.panels.find(panel => panel.contains(at)); }
  column(panel) { return this.panels.filter(p => p.left === panel.left && p.right === panel.right && p.group.dataset.x === panel.group.dataset.x); }

  move(event) {
    const at = this.at(event);
    if (this.drag) return this.stretch(at);
    const panel = this.panelAt(at);
    if (!panel) return this.leave();
    this.lines.replaceChildren();
    for (const p of this.column(panel)) make(this.lines, 'path', {d: `M${at.x} ${p.top}V${p.bottom}`});
    const name = this.column(panel).map(p => p.group.dataset.xname).find(Boolean) ?? 'x';
    this.box.replaceChildren(...panel.words(at, name).map(line => {
      const node = document.createElement('div');
      node.textContent = line;
      return node;
    }));
    this.box.hidden = false;
    const frame = this.figure.getBoundingClientRect(), right = event.clientX - frame.left > frame.width / 2;
    this.box.style.top = `${event.clientY - frame.top + 12}px`;
    this.box.style.left = right ? 'auto' : `${event.clientX - frame.left + 12}px`;
    this.box.style.right = right ? `${frame.right - event.clientX + 12}px` : 'auto';
  }
  leave() {
    this.lines.replaceChildren();
    this.box.hidden = true;
  }

  down(event) {
    const from = this.at(event), panel = this.panelAt(from);
    if (!panel || event.pointerType === 'touch' || event.button !== 0) return;
    this.leave();
    this.drag = {from, to: from, panel};
    event.preventDefault();
  }
  stretch(at) {
    const {from, panel} = this.drag, clamp = (v, low, high) => Math.min(high, Math.max(low, v));
    const to = this.drag.to = {x: clamp(at.x, panel.left, panel.right), y: clamp(at.y, panel.top, panel.bottom)};
    this.lines.replaceChildren();
    make(this.lines, 'rect', {x: Math.min(from.x, to.x), y: Math.min(from.y, to.y),
      width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y)});
  }
  // A drag that hardly moves in one direction leaves it as it is.
  up(event) {
    if (!this.drag) return;
    this.stretch(this.at(event));
    const {from, to, panel} = this.drag, least = 8;
    this.drag = null;
    this.lines.replaceChildren();
    if (Math.abs(to.x - from.x) > least) {
      const view = [Math.min(from.x, to.x), Math.max(from.x, to.x)].map(v => panel.x.hidden(v));
      for (const p of this.column(panel)) p.x.view = [...view];
    }
    if (Math.abs(to.y - from.y) > least)
      panel.y.view = [Math.max(from.y, to.y), Math.min(from.y, to.y)].map(v => panel.y.hidden(v));
    this.redraw();
  }
  reset() {
    for (const panel of this.panels) for (const axis of [panel.x, panel.y]) axis.view = [axis.from, axis.to];
    this.redraw();
  }
  redraw() {
    for (const panel of this.panels) panel.draw();
    this.back.hidden = this.panels.every(panel => panel.x.whole && panel.y.whole);
  }
}

for (const figure of document.querySelectorAll('figure')) if (figure.querySelector('svg .panel')) new View(figure);
document.body.classList.add('scripted');

// Paper cannot be unfolded.
const folded = () => document.querySelectorAll('details');
window.addEventListener('beforeprint', () => {
  for (const part of folded()) part.dataset.was = part.open ? 'open' : '', part.open = true;
});
window.addEventListener('afterprint', () => {
  for (const part of folded()) part.open = part.dataset.was === 'open';
});
// A link to what is folded unfolds it.
const unfold = () => {
  const part = document.getElementById(location.hash.slice(1))?.querySelector('details');
  if (part) part.open = true;
};
window.addEventListener('hashchange', unfold);
unfold();
})();
