// Runs before the first paint, to apply the theme and language chosen in the back-office or here.
const me = document.currentScript.dataset
const root = document.documentElement
const stored = name => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

const systemDark = matchMedia('(prefers-color-scheme: dark)')
const isDark = () => (stored('theme') ?? (systemDark.matches ? 'dark' : 'light')) === 'dark'
const draw = () => {
  root.dataset.theme = isDark() ? 'dark' : 'light'
}
draw()
systemDark.addEventListener('change', draw)

const language = stored('language')
if (!location.search && language !== root.lang && me.languages.split(' ').includes(language))
  location.replace(`/docs?lang=${language}${location.hash}`)

addEventListener('DOMContentLoaded', () => {
  const toggle = document.getElementById('theme')
  toggle.hidden = false
  toggle.addEventListener('click', () => {
    try {
      localStorage.setItem('theme', isDark() ? 'light' : 'dark')
    } catch {}
    draw()
  })
  for (const block of document.querySelectorAll('.code')) block.append(copyButton(block.querySelector('code')))
  highlightCurrentSection()
})

function copyButton(code) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = me.copy
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = me.copied
    setTimeout(() => {
      button.textContent = me.copy
    }, 1500)
  })
  return button
}

/** Highlights the section being read in the menu. */
function highlightCurrentSection() {
  const menu = document.querySelector('nav > ul')
  const links = new Map([...document.querySelectorAll('nav a')].map(link => [link.hash.slice(1), link]))
  const inView = new Set()
  const observer = new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries) inView[isIntersecting ? 'add' : 'delete'](target)
      const [first] = [...inView].sort((a, b) => a.offsetTop - b.offsetTop)
      if (!first) return
      for (const link of links.values()) link.removeAttribute('aria-current')
      const link = links.get(first.getAttribute('aria-labelledby'))
      link?.setAttribute('aria-current', 'true')
      // On a phone the menu is one line that scrolls horizontally: keep the current section in view.
      menu.scrollTo({ left: link ? link.offsetLeft - (menu.clientWidth - link.offsetWidth) / 2 : 0 })
    },
    { rootMargin: '-80px 0px -60% 0px' },
  )
  for (const section of document.querySelectorAll('main > section')) observer.observe(section)
}
