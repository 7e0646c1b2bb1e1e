import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { createBrowser, openApp } from '../../test/tab.ts'
import { dismissAlert, showAlert, showError } from './showError.ts'

test('default', () => {
  const app = openApp()
  showAlert(app, new LatchkeyError('NETWORK_NOT_FOUND'))
  expect(app.store.getState().alert).toEqual({
    code: 'NETWORK_NOT_FOUND',
    shortMessage: 'Network Not Found',
    longMessage: 'Network not found - please make sure it is included in the networks array',
    error: expect.any(LatchkeyError),
  })
})

test('behavior: each alert shows once only, in each app', () => {
  const app = openApp()
  showAlert(app, new LatchkeyError('NETWORK_NOT_FOUND'))
  dismissAlert(app)
  showAlert(app, new LatchkeyError('NETWORK_NOT_FOUND'))
  expect(app.store.getState().alert).toBeUndefined()
  showAlert(app, new LatchkeyError('SESSION_EXPIRED'))
  expect(app.store.getState().alert?.shortMessage).toBe('Session Expired')
  const other = openApp()
  showAlert(other, new LatchkeyError('NETWORK_NOT_FOUND'))
  expect(other.store.getState().alert?.code).toBe('NETWORK_NOT_FOUND')
})

test.each([
  'NETWORK_NOT_FOUND',
  'PROJECT_ID_NOT_CONFIGURED',
  'INVALID_APP_CONFIGURATION',
  'INVALID_PROJECT_ID',
  'SESSION_EXPIRED',
  'FRAME_TIMEOUT',
] as const)('behavior: the alert %s shows once', (code) => {
  const app = openApp()
  const error = new LatchkeyError(code, { data: { origin: 'https://app.example' } } as never)
  showError(app, error)
  expect(app.store.getState().alert).toMatchObject({ code, shortMessage: error.message })
  dismissAlert(app)
  showError(app, error)
  expect(app.store.getState().alert).toBeUndefined()
})

test('behavior: an error shows as its table row says', () => {
  const app = openApp()
  showError(app, new LatchkeyError('USER_REJECTED'))
  expect(app.store.getState()).toMatchObject({ alert: undefined, toast: undefined })
  showError(app, new LatchkeyError('SEND_FAILED'))
  expect(app.store.getState().toast).toMatchObject({
    message: 'Something went wrong',
    variant: 'error',
  })
  app.destroy()
})

test('error: no project id', async () => {
  // A page without types may leave it out.
  for (const projectId of ['', undefined as unknown as string]) {
    const app = openApp(createBrowser().openTab(), { projectId })
    await expect
      .poll(() => app.store.getState().alert?.shortMessage)
      .toBe('Project ID Not Configured')
  }
})
