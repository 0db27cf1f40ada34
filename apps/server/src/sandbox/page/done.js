// Hands the code to the page that opened this popup: to the origin in the state, which must be of this machine.
const query = new URLSearchParams(location.search)
const state = query.get('state') ?? ''
const origin = state.slice(state.indexOf('.') + 1)

function isOurs(text) {
  try {
    const { hostname, origin: exact } = new URL(text)
    return exact === text && (exact === location.origin || ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  } catch {
    return false
  }
}

if (window.opener && isOurs(origin)) {
  const answer = { type: 'coffer-sign-in', state, code: query.get('code'), error: query.get('error') }
  window.opener.postMessage(answer, origin)
}
window.close()
