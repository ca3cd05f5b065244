declare module '*.css'
/** Where the build put the microphone's audio-thread script. */
declare const MICROPHONE_WORKLET_URL: string
