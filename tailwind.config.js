// The design tokens live in static/src/app.css; this tells Tailwind where the
// class names are.
module.exports = {
  content: ["./views/**/*.templ", "./views/**/*.go", "./static/app.js"],
};
