-- Opens the window of the agent that runs, and hands it the links that macOS sends here as Apple Events.
property agent : "/Library/Application Support/Porchlight/porchlight-agent"

on run
	ask("")
end run

on reopen
	ask("")
end reopen

on open location link
	ask(link)
end open location

-- The link is one argument, whatever stands in it. What the agent has to say against it is shown.
on ask(link)
	try
		do shell script quoted form of agent & " --open " & quoted form of link
	on error sentence
		activate
		display dialog sentence buttons {"OK"} default button "OK" with title "Porchlight"
	end try
end ask
