import { randomBytes } from 'node:crypto'
import { verifySiwx } from '@latchkey/wire/siwx'
import express from 'express'
import session from 'express-session'

const { PORT = '3010', DOMAIN = `127.0.0.1:${PORT}`, SESSION_SECRET, NODE_ENV } = process.env
const secure = NODE_ENV === 'production'
const app = express()
app.use(express.json({ limit: '32kb' }))
app.use(
  session({
    secret: SESSION_SECRET ?? randomBytes(32).toString('hex'),
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: 'strict', secure },
  }),
)

app.get('/nonce', (request, response) => {
  request.session.nonce = randomBytes(16).toString('hex')
  response.json({ nonce: request.session.nonce })
})

app.post('/verify', (request, response, next) => {
  const { nonce } = request.session
  const { message, signature } = request.body ?? {}
  // A new session: whoever knew the old cookie has nothing. The nonce goes with it.
  request.session.regenerate(async (error) => {
    if (error) return next(error)
    if (typeof nonce !== 'string' || typeof message !== 'string' || typeof signature !== 'string')
      return response.status(400).json({ field: 'nonce' })
    const verdict = await verifySiwx({ message, signature }, { domain: DOMAIN, nonce })
    if (!verdict.ok) return response.status(401).json({ field: verdict.field })
    request.session.account = `${verdict.message.chainId}:${verdict.message.accountAddress}`
    response.json({ account: request.session.account })
  })
})

app.get('/me', (request, response) => {
  const { account } = request.session
  if (!account) return response.status(401).json({ field: 'session' })
  response.json({ account })
})

app.listen(Number(PORT), '127.0.0.1')
