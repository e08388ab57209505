// A button that copies the address of the page as it stands in the browser, filters and all.

export default function (component) {
  const { parentElement } = component
  const button = parentElement.querySelector(".pl-copy-link")
  if (!button) return
  let back = 0
  const say = words => {
    button.querySelector("span").textContent = words
    clearTimeout(back)
    back = setTimeout(() => (button.querySelector("span").textContent = "Copy link"), 2500)
  }
  /** Where the page is not served safely, a browser has no clipboard for scripts; a selection can be copied all the same. */
  const bySelection = text => {
    const field = document.createElement("textarea")
    field.value = text
    field.style.position = "fixed"
    field.style.opacity = "0"
    document.body.append(field)
    field.select()
    const copied = document.execCommand("copy")
    field.remove()
    return copied
  }
  button.onclick = async () => {
    const link = window.location.href
    try {
      if (navigator.clipboard) await navigator.clipboard.writeText(link)
      else if (!bySelection(link)) throw new Error("not copied")
      say("Copied")
    } catch {
      say(bySelection(link) ? "Copied" : "Copy it from the address bar")
    }
    button.focus()
  }
  return () => clearTimeout(back)
}
