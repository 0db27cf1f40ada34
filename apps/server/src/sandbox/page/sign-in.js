// Translates the page, which is written in English, to the reader's language.
const words = {
  'zh-CN': {
    title: '沙箱登录',
    note: '可使用任意邮箱，沙箱不验证身份。',
    email: '邮箱',
    name: '名称（选填）',
    go: '登录',
  },
}
let language = navigator.language
try {
  language = localStorage.getItem('language') ?? language
} catch {
  // Storage may be disabled.
}
const spoken = Object.keys(words).find(each => language.toLowerCase().startsWith(each.slice(0, 2)))
if (spoken) {
  document.documentElement.lang = spoken
  document.title = words[spoken].title
  for (const element of document.querySelectorAll('[data-text]'))
    element.textContent = words[spoken][element.dataset.text]
}
