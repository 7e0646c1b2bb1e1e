import type { App, Config, Environment } from '../src/app.ts'
import { confirmDevice, confirmOtp, loginEmail } from '../src/embedded/login/loginEmail.ts'
import { type FakeFrame, frameOrigin } from './fakeFrame.ts'
import { openApp } from './tab.ts'

export const email = 'ada@mail.example'

/** An app with the given secure frame. */
export const openEmailApp = (
  frame: FakeFrame,
  environment: Partial<Environment> = {},
  config: Partial<Config> = {},
) => openApp({ framePlace: frame.place, ...environment }, { frameUrl: frameOrigin, ...config })

/** Completes the login of a new visitor. */
export async function logIn(app: App): Promise<void> {
  await loginEmail(app, { email })
  await confirmDevice(app)
  await confirmOtp(app)
}

export const views = (app: App) => app.store.getState().modal.history.map(({ name }) => name)
