import type { Plugin } from 'vite'

const icon = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#4a67f0"/><g fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"><circle cx="11.5" cy="16" r="4.75"/><path d="M16.25 16H25v4.25M20.75 16v3"/></g></svg>',
)

// The server fills in what differs from project to project, at `latchkey-frame`.
const head = `
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="referrer" content="no-referrer">
    <meta name="latchkey-frame" content="">
    <link rel="icon" href="data:image/svg+xml,${icon}">
    <link rel="stylesheet" href="/src/frame.css">`

/** Gives every page of the frame the same head; its own file holds only the title. */
export const insertHead = (): Plugin => ({
  name: 'insert-head',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) => html.replace('<head>', `<head>${head}`),
  },
})
