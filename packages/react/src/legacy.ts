/** Converts the configuration of an app that was written for older versions. */
export * from '@latchkey/core/legacy'
