// The cases of a page as a list with whole sentences. Every text of the data becomes a text node, never markup.

const known = new WeakMap()

function element(name, className, text) {
  const made = document.createElement(name)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  return made
}

function entry(item, place, opened) {
  const made = element("li", `pl-case pl-${item.verdict}`)
  made.id = `pl-case-${place}`
  made.role = "option"
  made.dataset.id = item.id
  made.ariaSelected = String(item.id === opened)
  const head = element("div", "pl-case-head")
  head.append(element("span", "pl-case-verdict", item.head), element("span", "pl-case-notes", item.notes))
  made.append(head, element("div", "pl-case-question", item.question), element("div", "pl-case-answer", item.answer))
  return made
}

/** Brings an entry into the list's own view; the page does not move. */
function reveal(list, at) {
  if (!at) return
  const top = at.offsetTop - list.offsetTop
  if (top < list.scrollTop) list.scrollTop = top - 4
  else if (top + at.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = Math.min(top - 4, top + at.offsetHeight - list.clientHeight + 4)
}

/** Brings the head of the evidence back into the window, where reading the last case had scrolled it away. */
function evidence() {
  const at = document.querySelector(".st-key-case_view")
  if (!at) return
  const { top } = at.getBoundingClientRect()
  if (top < 0 || top > window.innerHeight * 0.75) at.scrollIntoView({ block: "start" })
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component
  const list = parentElement.querySelector(".pl-cases")
  if (!list) return
  let instance = known.get(parentElement)
  if (!instance) {
    instance = { opened: null, rows: "" }
    known.set(parentElement, instance)
  }
  const open = at => {
    if (!at || at.dataset.id === instance.opened) return
    for (const other of list.children) other.ariaSelected = String(other === at)
    list.setAttribute("aria-activedescendant", at.id)
    reveal(list, at)
    setTriggerValue("opened", at.dataset.id)
  }
  const rows = JSON.stringify(data.cases)
  if (instance.rows !== rows) {
    instance.rows = rows
    list.replaceChildren(...data.cases.map((item, place) => entry(item, place, data.opened)))
    list.scrollTop = 0
  }
  list.ariaLabel = data.label
  let selected = null
  for (const at of list.children) {
    at.ariaSelected = String(at.dataset.id === data.opened)
    if (at.dataset.id === data.opened) selected = at
  }
  if (selected) list.setAttribute("aria-activedescendant", selected.id)
  else list.removeAttribute("aria-activedescendant")
  if (instance.opened !== data.opened) {
    const first = instance.opened === null
    instance.opened = data.opened
    reveal(list, selected)
    // What a click or a key opens is in view; the first drawing of a page stays at its top.
    if (!first) requestAnimationFrame(evidence)
  }
  list.onclick = event => open(event.target.closest(".pl-case"))
  list.onkeydown = event => {
    const all = [...list.children]
    const at = all.findIndex(one => one.ariaSelected === "true")
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    open(all[Math.max(0, Math.min(all.length - 1, to))])
  }
}
