// Runs before the first paint: applies the stored theme and language, else the browser's. The font is loaded after it; the next
// page has it in the browser's cache and is drawn with it at once.
try {
  const theme = localStorage.getItem('theme')
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  const language = localStorage.getItem('language') || navigator.language
  const { languages } = document.currentScript.dataset
  document.documentElement.lang = languages.split(' ').includes(language) ? language : 'en'
  const { dataset } = document.documentElement
  if (localStorage.getItem('font')) dataset.font = 'loaded'
  else
    new PerformanceObserver(list => {
      if (!list.getEntriesByName('first-contentful-paint').length) return
      dataset.font = 'wanted'
      localStorage.setItem('font', 'loaded')
    }).observe({ type: 'paint', buffered: true })
} catch {
  document.documentElement.dataset.theme = 'light'
}
