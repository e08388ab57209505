// Scrolls to the part of the page that a click has opened, unless it can be seen.

const done = new WeakMap()

/** The header of the app lies over the first pixels of the page. */
const HEADER = 64

/** How often it is looked for: what was opened is drawn a moment later, and bit by bit. */
const LOOKS = 20

function bring(at) {
  const { top, height } = at.getBoundingClientRect()
  const room = window.innerHeight - HEADER
  const seen = top >= HEADER - 8 && top + Math.min(height, room * 0.4) <= window.innerHeight
  if (seen) return
  at.style.scrollMarginTop = `${HEADER}px`
  at.style.scrollMarginBottom = "16px"
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches
  at.scrollIntoView({ block: height <= room ? "nearest" : "start", behavior: calm ? "auto" : "smooth" })
}

export default function (component) {
  const { data, parentElement } = component
  if (done.get(parentElement) === data.count) return
  done.set(parentElement, data.count)
  let looks = 0
  const timer = setInterval(() => {
    looks += 1
    const at = data.keys.map(key => document.querySelector(`.st-key-${CSS.escape(key)}`)).find(Boolean)
    if (at) bring(at)
    if (looks >= LOOKS) clearInterval(timer)
  }, 120)
  // A person who moves the page meanwhile has it as they want it.
  for (const moved of ["wheel", "touchmove", "keydown", "pointerdown"])
    window.addEventListener(moved, () => clearInterval(timer), { once: true, passive: true })
}
