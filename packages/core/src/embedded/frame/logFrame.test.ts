import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { email, logIn, openEmailApp } from '../../../test/emailApp.ts'
import { createFakeFrame } from '../../../test/fakeFrame.ts'
import { alice } from '../../../test/fakeWallet.ts'
import type { Config } from '../../app.ts'
import { request } from '../../connection/requests/request.ts'
import { getFrame } from './getFrame.ts'

const open = (config: Partial<Config> = {}) => {
  const lines: string[] = []
  const frame = createFakeFrame()
  const app = openEmailApp(
    frame,
    { logFrame: (line) => lines.push(line), now: () => 1_700_000_000_000 },
    config,
  )
  return { app, frame, lines }
}

test('default: each message of a login and of a signature is named, and nothing that it holds', async () => {
  const { app, frame, lines } = open()
  await logIn(app)
  frame.emit('FRAME_EMAIL', { email: 'new@mail.example' })
  await request(app, { method: 'personal_sign', params: ['0x736563726574', alice] })
  expect(lines).toEqual(
    expect.arrayContaining([
      'Latchkey frame: FRAME_READY',
      'Latchkey frame: APP_CONNECT_EMAIL',
      'Latchkey frame: APP_CONNECT_EMAIL succeeded (0 ms)',
      'Latchkey frame: APP_GET_USER succeeded (0 ms)',
      'Latchkey frame: FRAME_EMAIL',
      'Latchkey frame: APP_RPC_REQUEST succeeded (0 ms)',
    ]),
  )
  for (const line of lines)
    expect(line).toMatch(/^Latchkey frame: (APP|FRAME)_[A-Z_]+( succeeded \(0 ms\))?$/)
  for (const secret of [email, 'new@mail.example', alice, '736563726574', '42'])
    expect(lines.join()).not.toContain(secret)
  app.destroy()
})

test('error: a refusal is logged with its code, and not with its text', async () => {
  const { app, frame, lines } = open()
  frame.handlers.APP_GET_CHAIN_ID = () => {
    throw new LatchkeyError('WALLET_ERROR', { data: { message: 'secret' } })
  }
  const { request: ask } = await getFrame(app)
  await ask('APP_GET_CHAIN_ID', {}).catch(() => {})
  expect(lines).toContainEqual(
    expect.stringMatching(/^Latchkey frame: APP_GET_CHAIN_ID failed: [A-Z_]+ \(0 ms\)$/),
  )
  expect(lines.join()).not.toContain('secret')
  app.destroy()
})

test.each<Partial<Config>>([{ login: { logMessages: false } }, { debug: false }])(
  'param: %j logs nothing',
  async (config) => {
    const { app, lines } = open(config)
    await logIn(app)
    expect(lines).toEqual([])
    app.destroy()
  },
)
