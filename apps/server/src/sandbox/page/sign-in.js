// The page is written in English; this puts the reader's language in its place.
const words = {
  'zh-CN': {
    title: '沙箱登录',
    note: '任意邮箱均可：此处直接采用您填写的身份。',
    email: '邮箱',
    name: '名称（选填）',
    go: '登录',
  },
}
let language = navigator.language
try {
  language = localStorage.getItem('language') ?? language
} catch {
  // A browser that lets pages store nothing still shows them.
}
const spoken = Object.keys(words).find(each => language.toLowerCase().startsWith(each.slice(0, 2)))
if (spoken) {
  document.documentElement.lang = spoken
  document.title = words[spoken].title
  for (const element of document.querySelectorAll('[data-text]'))
    element.textContent = words[spoken][element.dataset.text]
}
