import { isError, LatchkeyError, listIdentities, startLogin, startSocial } from '@latchkey/wire'
import { expect, test } from 'vitest'
import type { CodePrompt } from '../../screens/CodeScreen.tsx'
import { createScreenQueue } from '../../screens/screenQueue.ts'
import { createSession } from '../../session/session.ts'
import { createMemoryStore } from '../../wallet/keyStore.ts'
import { confirmWithCode, type StepUpRequest } from './confirmWithCode.ts'

const handle = 'x'.repeat(22)
const delivers = { tx: handle, action: 'VERIFY_OTP', matchCode: '42', resendSeconds: 30 }

type Parameters = {
  readonly email?: string | null
  readonly providers?: readonly string[]
  readonly mail?: () => unknown
  readonly action?: StepUpRequest['action']
}

/** The confirmation of somebody with these ways to sign in, up to its first screen. */
async function confirm({
  email = 'ann@people.example',
  providers = [],
  mail = () => delivers,
  action = 'delete',
}: Parameters) {
  const called: string[] = []
  const identities = providers.map((provider) => ({
    id: '1',
    provider,
    name: '',
    createdAtMs: 1,
    precedesEmail: true,
  }))
  const session = createSession({
    store: createMemoryStore(),
    now: () => 0,
    send: async ({ path }) => {
      called.push(path)
      if (path === listIdentities.path) return { identities, providers }
      return path === startLogin.path ? mail() : { tx: handle }
    },
  })
  await session.saveTokens({
    accessToken: 'a'.repeat(43),
    refreshToken: 'r'.repeat(43),
    expiresInSeconds: 600,
    userId: 'ann',
    deviceId: 'browser',
    email,
    stepUpSeconds: 0,
  })
  const screenQueue = createScreenQueue()
  const context = { session, screenQueue, facts: { projectId: 'local' } }
  const about = { text: 'Delete your wallet' }
  const ended = confirmWithCode(context, { origin: 'http://app.example', action, about }).then(
    () => undefined,
    (error: unknown) => error,
  )
  const view = () => screenQueue.current()?.view
  await Promise.race([ended, expect.poll(view).toBeDefined()])
  const props = screenQueue.current()?.props as CodePrompt<string> & {
    done: (result: string) => void
  }
  return { called, ended, view, props }
}

test('default: beside the code a sign-in at a provider of the account is offered, and confirms', async () => {
  const { called, view, props } = await confirm({ providers: ['github'] })
  expect([view(), props.other?.label]).toEqual(['code', 'Confirm by a sign-in instead'])
  props.done('provider')
  await expect.poll(view).toBe('social')
  expect(called).toContain(startSocial.path)
})

test('behavior: without a provider the code is all there is, and without an address the provider', async () => {
  const alone = await confirm({})
  expect([alone.view(), alone.props.other]).toEqual(['code', undefined])
  const social = await confirm({ email: null, providers: ['github'] })
  expect([social.view(), social.called]).toEqual([
    'social',
    [listIdentities.path, startSocial.path],
  ])
})

test('param: action: only a code confirms a recovery', async () => {
  const { view, props } = await confirm({ providers: ['github'], action: 'recovery' })
  expect([view(), props.other]).toEqual(['code', undefined])
})

test('param: action: no code removes the address itself', async () => {
  const { view } = await confirm({ providers: ['github'], action: 'unlink email' })
  expect(view()).toBe('social')
})

test('error: where no mail can go to the mailbox, the provider confirms, if there is one', async () => {
  const mail = () => {
    throw new LatchkeyError('MAIL_NOT_SENT')
  }
  expect((await confirm({ providers: ['github'], mail })).view()).toBe('social')
  const { ended } = await confirm({ mail })
  expect(isError(await ended, 'MAIL_NOT_SENT')).toBe(true)
})
