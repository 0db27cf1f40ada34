// The page is written in English; this puts Chinese in its place where the browser asks for it.
const chinese = {
  title: '沙箱登录',
  note: '任意邮箱均可：此处直接采用您填写的身份。',
  email: '邮箱',
  name: '名称（选填）',
  go: '登录',
}
let language = navigator.language
try {
  language = localStorage.getItem('language') ?? language
} catch {
  // A browser that lets pages store nothing still shows them.
}
if (language.toLowerCase().startsWith('zh')) {
  document.documentElement.lang = 'zh-CN'
  document.title = chinese.title
  for (const element of document.querySelectorAll('[data-text]')) element.textContent = chinese[element.dataset.text]
}
