// Runs before the code of the back-office: sends the first calls of a signed-in merchant and requests the page's code.
// `api/early.ts` hands the answers to the API client. The plan comes from `plan.ts` through the build.
try {
  const token = localStorage.getItem('token')
  const { lang } = document.documentElement
  const { tags, shell, pages } = JSON.parse(document.currentScript.dataset.plan)
  const path = location.pathname.replace(/^\/m(?=\/|$)/, '').replace(/(?<=.)\/$/, '') || '/'
  const page = Object.hasOwn(pages, path) ? pages[path] : { calls: [], files: {} }
  if (token !== null) {
    globalThis.earlyCalls = new Map()
    // What the role of a member did not include at the last visit.
    const refused = (localStorage.getItem('refused') ?? '').split(',')
    const listAllowed = calls => calls.filter(({ read }) => !refused.includes(read[0]))
    const calls = location.search ? [] : listAllowed(page.calls)
    globalThis.earlyReads = calls.map(({ read }) => read)
    for (const { url } of [...listAllowed(shell.calls), ...calls]) {
      const ending = new AbortController()
      const headers = { 'X-Language': tags[lang], 'X-Time': new Date().toUTCString(), 'X-Token': token }
      const answer = fetch(url, { headers, signal: ending.signal })
      // The client handles failures.
      answer.catch(() => {})
      globalThis.earlyCalls.set(url, { token, language: tags[lang], sentAt: performance.now(), ending, answer })
    }
    for (const href of [...(shell.files[lang] ?? []), ...(page.files[lang] ?? [])])
      document.head.append(
        Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }),
      )
    // The first use of Intl is slow. Until the code arrives, the page has time for it.
    setTimeout(() => new Intl.DateTimeFormat(lang, { timeZone: 'UTC' }).format(), 50)
  }
} catch {
  // Without storage nobody is signed in.
}
