// `css:` imports are style sheets as one minified text; build.mjs resolves them.
declare module "css:*" {
  const text: string;
  export default text;
}
