import { expect, test } from 'vitest'
import { openEmailApp } from '../../../test/emailApp.ts'
import { createFakeFrame } from '../../../test/fakeFrame.ts'
import { getSocials } from './getSocials.ts'

const answer = (socials: readonly string[]) => async () => Response.json({ socials })

test('default: the providers of the server in its order, without those that this version does not know', async () => {
  const fetch = answer(['github', 'myspace', 'google', 'x'])
  const app = openEmailApp(createFakeFrame(), { fetch })
  expect(await getSocials(app)).toEqual(['github', 'google', 'x'])
  app.destroy()
})

test('param: login.socials chooses and sorts the providers that the server has', async () => {
  const environment = { fetch: answer(['google', 'x', 'github']) }
  const config = { login: { socials: ['github', 'apple', 'google'] } } as const
  const app = openEmailApp(createFakeFrame(), environment, config as never)
  expect(await getSocials(app)).toEqual(['github', 'google'])
  app.destroy()
})
