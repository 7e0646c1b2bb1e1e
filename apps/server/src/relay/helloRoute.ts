import { Hono } from 'hono'

/** `/hello`: people and probes of wallets look here whether a relay is at this address. */
export const helloRoute = () =>
  new Hono().get('/hello', (c) => c.text('Hello World, this is Relay Server of Latchkey\n'))
