// Runs before the first paint: applies the stored theme and language, else the browser's.
try {
  const theme = localStorage.getItem('theme')
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  const language = localStorage.getItem('language') || navigator.language
  const { languages } = document.currentScript.dataset
  document.documentElement.lang = languages.split(' ').includes(language) ? language : 'en'
} catch {
  document.documentElement.dataset.theme = 'light'
}
