(function () {
  "use strict";
  var charts = JSON.parse(document.getElementById("charts").textContent);
  var drawn = 0;
  document.documentElement.classList.add("drawn");
  var config = { displaylogo: false, responsive: true, showTips: false, showLink: false,
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"], toImageButtonOptions: { format: "svg" } };
  Object.keys(charts).forEach(function (id) {
    Plotly.newPlot("plot-" + id, charts[id].data, charts[id].layout, config).then(function () { drawn += 1; });
  });
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
