// Texts to read, with words that can be marked as evidence. Every text of the data becomes a text node, never markup.

const known = new WeakMap()

/** Of a text so much is drawn at first; a click brings the rest. Longer ones take seconds to lay out. */
const AT_FIRST = 8000

const SURROGATES = /[\ud800-\udfff]/

/** Place in UTF-16 units of the character at `place`. */
function units(text, place) {
  if (!SURROGATES.test(text)) return place
  let at = 0
  for (const sign of text) {
    if (place-- <= 0) break
    at += sign.length
  }
  return at
}

/** How many characters lie before `at`, a place in UTF-16 units. */
function characters(text, at) {
  return SURROGATES.test(text) ? Array.from(text.slice(0, at)).length : at
}

function element(name, className, text) {
  const made = document.createElement(name)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  return made
}

function fill(box, item, remove, whole) {
  box.replaceChildren()
  const shown = whole ? item.text : item.text.slice(0, AT_FIRST).replace(/[\ud800-\udbff]$/, "")
  let last = 0
  for (const [start, end] of item.spans) {
    const from = units(item.text, start)
    const to = units(item.text, end)
    box.append(document.createTextNode(item.text.slice(last, from)))
    const mark = element("mark", "", item.text.slice(from, to))
    mark.title = remove ? "Marked as evidence. Click to take the mark off." : "Marked as evidence by a rater."
    if (remove) mark.onclick = () => remove({ where: item.where, start, end, remove: true })
    box.append(mark)
    last = to
  }
  box.append(document.createTextNode(shown.slice(last)))
}

/** Fills a text, with a button for its rest where it is long; a mark in the rest is never hidden. */
function show(made, item, instance, remove) {
  const box = made.querySelector(".pl-text")
  const marked = item.spans.some(([, end]) => units(item.text, end) > AT_FIRST)
  const whole = item.text.length <= AT_FIRST || marked || instance.whole.has(item.title)
  fill(box, item, remove, whole)
  if (whole) return
  const count = item.text.length.toLocaleString("en")
  const more = element("button", "pl-more", `Show all ${count} characters`)
  more.type = "button"
  more.onclick = () => {
    instance.whole.add(item.title)
    more.remove()
    fill(box, item, remove, true)
  }
  made.append(more)
}

function section(item, instance) {
  const fold = item.fold
  const outer = element(fold ? "details" : "section", `pl-${item.kind}`)
  if (fold) {
    outer.open = instance.folded.get(item.where) ?? item.open
    outer.ontoggle = () => instance.folded.set(item.where, outer.open)
    // Keys that open and close a passage are not keys of the page.
    outer.onkeydown = event => {
      if (event.key === "Enter" || event.key === " ") event.stopPropagation()
    }
  }
  const head = element(fold ? "summary" : "div", "pl-head")
  head.append(element("span", "", item.title))
  outer.append(head)
  const box = element("div", "pl-text")
  box.dataset.where = item.where
  outer.append(box)
  return outer
}

function selected(root) {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed || !selection.rangeCount) return null
  const range = selection.getRangeAt(0)
  const holder = node => (node.nodeType === 1 ? node : node.parentElement)?.closest(".pl-text")
  const box = holder(range.startContainer)
  if (!box || !root.contains(box) || !box.dataset.where) return null
  const before = document.createRange()
  before.setStart(box, 0)
  before.setEnd(range.startContainer, range.startOffset)
  let start = before.toString().length
  // A selection that leaves its text ends where the text ends.
  let end = box.textContent.length
  if (holder(range.endContainer) === box) {
    before.setEnd(range.endContainer, range.endOffset)
    end = before.toString().length
  }
  const text = box.textContent
  while (start < end && /\s/.test(text[start])) start += 1
  while (start < end && /\s/.test(text[end - 1])) end -= 1
  if (start >= end) return null
  return { where: box.dataset.where, start: characters(text, start), end: characters(text, end) }
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component
  const root = parentElement.querySelector(".pl-reading")
  if (!root) return
  let instance = known.get(parentElement)
  if (!instance) {
    instance = { folded: new Map(), whole: new Set(), task: null }
    known.set(parentElement, instance)
  }
  const send = mark => setTriggerValue("marked", { ...mark, task: data.task })
  const mark = () => {
    const found = data.markable ? selected(root) : null
    if (!found) return
    document.getSelection().removeAllRanges()
    send({ ...found, remove: false })
  }
  if (instance.task !== data.task) {
    instance.task = data.task
    instance.folded = new Map()
    instance.whole = new Set()
  }
  root.replaceChildren()
  const offline = element("p", "pl-offline", "You are offline. What is saved is safe; go on when the connection is back.")
  const online = () => (offline.hidden = navigator.onLine)
  online()
  root.append(offline)
  for (const item of data.texts) {
    const made = section(item, instance)
    root.append(made)
    show(made, item, instance, data.markable ? send : null)
    if (!item.where) delete made.querySelector(".pl-text").dataset.where
  }
  const button = element("button", "pl-mark", "Mark the selected words as evidence")
  const key = element("kbd", "", "E")
  button.type = "button"
  button.append(key)
  button.disabled = true
  button.onmousedown = event => event.preventDefault()
  button.onclick = mark
  if (data.markable) root.append(button)

  instance.stop?.()
  const look = () => {
    button.disabled = !selected(root)
  }
  const typed = event => {
    const at = event.target
    const writing = at.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(at.tagName)
    if (writing || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key.toLowerCase() === "e") mark()
  }
  document.addEventListener("selectionchange", look)
  document.addEventListener("keydown", typed)
  window.addEventListener("online", online)
  window.addEventListener("offline", online)
  instance.stop = () => {
    document.removeEventListener("selectionchange", look)
    document.removeEventListener("keydown", typed)
    window.removeEventListener("online", online)
    window.removeEventListener("offline", online)
  }
  return () => instance.stop()
}
