/** Frequent words of public lists of leaked passwords (SecLists, MIT licence). */
export const commonWords: readonly string[] = `
password passwort passwords passw0rd pass pwd parola contrasena motdepasse wachtwoord senha geheim secret login logon admin administrator root user guest
test testing tester demo default changeme letmein welcome hello goodbye access enter open please master computer internet windows microsoft google facebook
apple samsung iphone android amazon netflix instagram youtube twitter whatever nothing something anything forever always never
iloveyou loveyou ilove love lovely lover loveme you me my myself mine lovers baby babygirl babyboy honey sweet sweetie sweetheart darling angel heart kiss
princess prince queen king girl boy family mother father mommy daddy mum mom dad brother sister grandma grandpa friend friends bestfriend
jesus christ god heaven blessed faith grace trust hope peace freedom liberty justice
monkey dragon tiger lion bear eagle wolf panther dolphin horse kitty kitten puppy doggie dog cat bunny rabbit turtle butterfly chicken spider snake shark
sunshine sunflower flower flowers rainbow star stars moon sun summer winter spring autumn fall snow snowball water fire ocean forest garden
football baseball basketball soccer hockey softball tennis golf fishing hunting racing nascar yankees cowboys steelers lakers eagles packers redsox
liverpool arsenal chelsea manchester united city everton rangers celtic barcelona juventus realmadrid
superman batman spiderman ironman starwars startrek pokemon pikachu minecraft fortnite matrix gandalf hogwarts harry potter naruto mickey mouse disney
michael jordan jennifer jessica michelle daniel thomas andrew joshua robert charlie george james david john richard william matthew anthony ashley nicole
amanda samantha elizabeth victoria patricia barbara margaret susan linda mary maria anna karen nancy betty helen alexander benjamin christopher nicholas
january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday birthday
happy lucky magic crazy cool awesome beautiful pretty sexy perfect special super killer shadow ninja pirate wizard knight warrior hunter soldier marine
money dollar gold silver diamond diamonds purple yellow orange green blue black white pink red chocolate cookie cookies coffee cheese banana pepper ginger
mustang ferrari porsche corvette harley davidson toyota honda mercedes
america american england london newyork chicago boston dallas texas florida california canada australia germany france mexico
one two three four five six seven eight nine ten zero the and for with this that new number first
qwerty qwertz azerty asdf zxcv trustno fuckyou fuck bitch shit asshole whatever blahblah abc xyz security private correcthorsebatterystaple
`
  .trim()
  .split(/\s+/);
