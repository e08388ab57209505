(function () {
  "use strict";
  var charts = JSON.parse(document.getElementById("charts").textContent);
  var drawn = 0;
  document.documentElement.classList.add("drawn");
  var config = { displaylogo: false, responsive: true, showTips: false, showLink: false,
    showSendToCloud: false,
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"], toImageButtonOptions: { format: "svg" } };
  Object.keys(charts).forEach(function (id) {
    Plotly.newPlot("plot-" + id, charts[id].data, charts[id].layout, config).then(function () { drawn += 1; });
  });
  // Page one stays one page of A4 within the margins of the style sheet, whatever fonts there are.
  var ROOM = (297 - 16 - 17) * 96 / 25.4 - 4;
  var LEAST = 0.7;
  function fit() {
    var summary = document.getElementById("summary");
    summary.style.width = "174mm";
    var needed = summary.offsetHeight;
    summary.style.width = "";
    document.documentElement.style.setProperty("--fit", Math.max(LEAST, Math.min(1, ROOM / needed)).toFixed(3));
  }
  fit();
  window.addEventListener("beforeprint", fit);
  Array.prototype.forEach.call(document.querySelectorAll("button.show"), function (button) {
    var table = document.getElementById(button.getAttribute("aria-controls"));
    table.hidden = true;
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", function () {
      table.hidden = !table.hidden;
      button.setAttribute("aria-expanded", String(!table.hidden));
      button.textContent = table.hidden ? "Show the table" : "Hide the table";
    });
  });
})();
