// Sets the formulas of a page with KaTeX, which lies beside this file. Sphinx loads it where there are formulas.
'use strict';
(() => {
const folder = new URL('katex/', document.currentScript.src).href;
const load = (name, attributes) => new Promise((resolve, reject) => {
  const node = Object.assign(document.createElement(name), attributes, {onload: resolve, onerror: reject});
  document.head.append(node);
});
load('link', {rel: 'stylesheet', href: folder + 'katex.min.css'});
load('script', {src: folder + 'katex.min.js'})
  .then(() => load('script', {src: folder + 'contrib/auto-render.js'}))
  .then(() => {
    const delimiters = [{left: '\\(', right: '\\)', display: false}, {left: '\\[', right: '\\]', display: true}];
    for (const formula of document.querySelectorAll('.math')) renderMathInElement(formula, {delimiters, throwOnError: false});
    document.body.classList.add('formulas-set');
  });
})();
