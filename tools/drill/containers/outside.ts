import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createWebServer } from 'node:https'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { buildSandboxPriceResponse } from '@coffer/server/sandbox/prices.ts'
import { machineAddress, mailPort, nodePort } from './operator-files.ts'

/** What production reaches on the internet: a mail server, which keeps the codes, and a mirror of price sources. */
export interface Outside {
  /** The code of the last mail to an address. */
  codeOf: (email: string) => string | undefined
}

/** Starts them, where containers reach this machine, and passes on to the chain, which listens at 127.0.0.1. */
export async function startOutside(folder: string, chain: string): Promise<Outside> {
  await startFarMachine()
  makeCertificate(folder)
  await serve(createPriceServer(folder), 443)
  const passOn = createServer(socket => {
    const other = connect(Number(new URL(chain).port), '127.0.0.1')
    for (const each of [socket, other]) each.on('error', () => {})
    socket.pipe(other).pipe(socket)
  })
  await serve(passOn, nodePort)
  const codes = new Map<string, string>()
  await serve(createMailServer(codes), mailPort)
  return { codeOf: email => codes.get(email) }
}

const serve = (server: ReturnType<typeof createServer>, port: number) =>
  new Promise<void>(resolve => server.listen(port, '0.0.0.0', resolve))

/** A machine of another network, which takes connections. */
export const farMachine = { address: '10.78.0.2', port: 4_000 }

/** Makes it: this process has a network of its own already. */
async function startFarMachine(): Promise<void> {
  const script = `require('net').createServer(each => each.end()).listen(${farMachine.port}, () => console.log('listens'))`
  const child = spawn('unshare', ['--net', process.execPath, '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const ip = (...words: string[]) => execFileSync('ip', words)
  const there = (...words: string[]) => execFileSync('nsenter', ['-n', '-t', String(child.pid), 'ip', ...words])
  ip('link', 'add', 'far', 'type', 'veth', 'peer', 'name', 'near', 'netns', String(child.pid))
  ip('address', 'add', '10.78.0.1/24', 'dev', 'far')
  ip('link', 'set', 'far', 'up')
  there('address', 'add', `${farMachine.address}/24`, 'dev', 'near')
  there('link', 'set', 'near', 'up')
}

/** The file of the certificate is that which containers trust. */
function makeCertificate(folder: string): void {
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=drill']
  const files = ['-keyout', join(folder, 'outside.key'), '-out', join(folder, 'clone/ops/outside.crt')]
  execFileSync('openssl', [...words, '-addext', `subjectAltName=IP:${machineAddress}`, ...files], { stdio: 'ignore' })
}

function createPriceServer(folder: string) {
  const key = readFileSync(join(folder, 'outside.key'))
  const cert = readFileSync(join(folder, 'clone/ops/outside.crt'))
  return createWebServer({ key, cert }, (request, response) => {
    const body = buildSandboxPriceResponse(request.url ?? '/', Math.floor(Date.now() / 1_000))
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
}

/** A mail server (RFC 5321) that keeps the last code to each address. */
function createMailServer(codes: Map<string, string>) {
  return createServer(socket => {
    const reply = (line: string) => void socket.write(`${line}\r\n`)
    let mail: string[] | undefined
    let rest = ''
    const take = (line: string) => {
      if (mail === undefined) {
        if (line === 'DATA') mail = []
        if (/^QUIT/.test(line)) socket.end('221 bye\r\n')
        else reply(line === 'DATA' ? '354 go on' : '250 ok')
      } else if (line !== '.') mail.push(line)
      else {
        const text = mail.join('\n')
        const [, to] = /^To: <?([^>\s]+)/m.exec(text) ?? []
        const [code] = /(?<!\d)\d{6}(?!\d)/.exec(text.slice(text.indexOf('\n\n'))) ?? []
        if (to && code) codes.set(to, code)
        mail = undefined
        reply('250 taken')
      }
    }
    socket.on('error', () => {})
    socket.on('data', chunk => {
      const lines = `${rest}${chunk}`.split('\r\n')
      rest = lines.pop()!
      for (const line of lines) take(line)
    })
    reply('220 mail.example.com')
  })
}
