import { words } from './words.js'

const byId = id => document.getElementById(id)
let language = 'en'
const text = name => words[language][name]

/** Calls the server. Returns the data of the answer; throws its message on an error. */
async function call(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: {
      'X-Language': language,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  }).catch(() => {
    throw new Error(text('unreachable'))
  })
  const result = await answer.json().catch(() => ({}))
  if (result.code !== 200) throw new Error(result.msg ?? text('unreachable'))
  return result.data
}

function showStatus(message, bad = false) {
  byId('status').textContent = message
  byId('status').className = bad ? 'bad' : ''
}

/** Runs an action, shows its outcome and refreshes the page. */
async function act(work) {
  try {
    showStatus(await work())
    await refresh()
  } catch (error) {
    showStatus(error.message, true)
  }
}

function element(name, fields = {}, ...children) {
  const made = Object.assign(document.createElement(name), fields)
  made.append(...children)
  return made
}

const button = (label, click, main = false) =>
  element('button', { type: 'button', className: main ? 'main' : '', textContent: label, onclick: () => act(click) })

/** Renders a list only when it has changed, so that a refresh does not interrupt a click or a selection. */
const drawn = new Map()
function draw(id, rows, empty, item) {
  const now = `${language} ${JSON.stringify(rows)}`
  if (drawn.get(id) === now) return
  drawn.set(id, now)
  byId(id).replaceChildren(
    ...(rows.length ? rows.map(item) : [element('li', { className: 'empty', textContent: empty })]),
  )
}

function message(row) {
  const time = new Date(row.time * 1000).toLocaleTimeString(language)
  const copy = async () => {
    await navigator.clipboard.writeText(row.code)
    return text('copied')
  }
  return element(
    'li',
    {},
    element(
      'div',
      { className: 'line' },
      element('strong', { textContent: row.to }),
      element('time', { textContent: time }),
    ),
    element(
      'div',
      { className: 'line' },
      element('span', { textContent: row.subject || row.text }),
      ...(row.code ? [element('code', { textContent: row.code }), button(text('copy'), copy)] : []),
    ),
    ...(row.subject ? [element('pre', { textContent: row.text })] : []),
  )
}

function merchant(row) {
  const reason = element('input', { placeholder: text('reason'), ariaLabel: text('reason'), maxLength: 200 })
  const decide = (decision, done) => async () => {
    await call('POST', '/sandbox/merchants', { mchid: row.mchid, decision, reason: reason.value })
    return done
  }
  return element(
    'li',
    {},
    element(
      'div',
      { className: 'line' },
      element('strong', { textContent: row.name || text('noName') }),
      element('code', { textContent: row.mchid }),
    ),
    element('div', { className: 'line' }, element('span', { textContent: row.email })),
    element(
      'div',
      { className: 'line' },
      button(text('approve'), decide('approve', text('approved')), true),
      reason,
      button(text('refuse'), decide('refuse', text('refused'))),
    ),
  )
}

async function pay(trade_no, amount) {
  const { txid } = await call('POST', '/sandbox/pay', amount ? { trade_no, amount } : { trade_no })
  return text('paid') + txid
}

const payment = row =>
  element(
    'li',
    {},
    element(
      'div',
      { className: 'line' },
      element('code', { textContent: row.trade_no }),
      element('span', { textContent: `${row.amount} ${row.token} · ${row.chain}` }),
      button(text('pay'), () => pay(row.trade_no, '')),
    ),
  )

async function refresh() {
  const to = byId('to').value.trim()
  const [inbox, merchants, payments] = await Promise.all([
    call('GET', `/sandbox/inbox${to ? `?to=${encodeURIComponent(to)}` : ''}`),
    call('GET', '/sandbox/merchants'),
    call('GET', '/sandbox/payments'),
  ])
  draw('messages', inbox.list.slice(0, 30), text('noMessages'), message)
  draw('merchants', merchants.list, text('noMerchants'), merchant)
  draw('payments', payments.list, text('noPayments'), payment)
}

function setLanguage(next) {
  language = next
  document.documentElement.lang = next
  document.title = `Coffer · ${text('title')}`
  for (const each of document.querySelectorAll('[data-text]')) each.textContent = text(each.dataset.text)
  byId('language').value = next
  showStatus('')
}

function onSubmit(id, work) {
  byId(id).addEventListener('submit', event => {
    event.preventDefault()
    void act(work)
  })
}

onSubmit('filter', async () => '')
onSubmit('pay', () => pay(byId('trade_no').value.trim(), byId('amount').value.trim()))
onSubmit('mine', async () => {
  await call('POST', '/sandbox/mine', { blocks: Number(byId('blocks').value) })
  return text('mined')
})
onSubmit('reorg', async () => {
  await call('POST', '/sandbox/reorg', { depth: Number(byId('depth').value) })
  return text('reorged')
})
byId('to').addEventListener('input', () => void refresh().catch(() => {}))
byId('language').addEventListener('change', event => {
  setLanguage(event.target.value)
  try {
    localStorage.setItem('language', language)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  void refresh().catch(error => showStatus(error.message, true))
})

let stored = null
try {
  stored = localStorage.getItem('language')
} catch {
  // As above.
}
byId('language').replaceChildren(
  ...Object.entries(words).map(([value, { name }]) => element('option', { value, textContent: name })),
)
setLanguage([stored, navigator.language, 'en'].find(each => Object.hasOwn(words, each)))

let unreachable = false
async function poll() {
  try {
    if (!document.hidden) await refresh()
    if (unreachable) showStatus('')
    unreachable = false
  } catch (error) {
    unreachable = true
    showStatus(error.message, true)
  }
  setTimeout(poll, 1500)
}
void poll()
